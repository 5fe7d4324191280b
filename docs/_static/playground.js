// The forms of the playground. Python runs in a worker, which is made at the first click: nothing is loaded before.
"use strict";
(() => {
  const forms = [...document.querySelectorAll("form.playground")];
  const WORKER = new URL("playground_worker.js", document.currentScript.src);
  let worker = null;
  let isReady = false;
  // The form that is answered, and the one that is asked next.
  let busy = null;
  let next = null;

  const part = (form, name) => form.querySelector(`.playground-${name}`);
  const fields = (form) => [...form.querySelectorAll("textarea")];
  const runButton = (form) => form.querySelector("[data-run]");

  // Everything that is shown is made here, as text.
  function element(name, kind, ...children) {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.append(...children);
    return made;
  }

  function say(form, state, text) {
    const status = part(form, "status");
    status.dataset.state = state;
    status.textContent = text;
  }

  // A long URL is broken anywhere; words are not.
  const hasShortWords = (text) => text.split(" ").every((word) => word.length < 14);

  function shownTable(form, { title, head, rows }) {
    const heads = head.map((text) => {
      const cell = element(text ? "th" : "td", "", text);
      if (text) cell.scope = "col";
      return cell;
    });
    const lines = rows.map((row) =>
      element("tr", "", ...row.map((text, i) => {
        const cell = element(i ? "td" : "th", hasShortWords(text) ? "playground-words" : "", text);
        if (!i) cell.scope = "row";
        return cell;
      })));
    const table = element("table", "", element("caption", "", title), element("thead", "", element("tr", "", ...heads)),
      element("tbody", "", ...lines));
    return scrollable(form, element("div", "playground-table", table), title);
  }

  function shownText(form, { title, text, is_picture }) {
    return element("div", "", element("p", "playground-title", title),
      scrollable(form, element("pre", is_picture ? "" : "playground-wrapped", text), title));
  }

  // What is wider than the page is scrolled, also with the keyboard.
  function scrollable(form, made, title) {
    made.tabIndex = 0;
    made.role = "region";
    made.ariaLabel = `${runButton(form).dataset.run}: ${title}`;
    return made;
  }

  function show(form, { state, status, blocks, link, is_redacted }) {
    say(form, state, status);
    part(form, "answer").replaceChildren(...blocks.map((block) => (block.rows ? shownTable : shownText)(form, block)));
    const note = part(form, "link");
    note.hidden = false;
    if (fields(form).some((field) => "private" in field.dataset)) {
      note.textContent = "The address of this page does not have the text.";
    } else if (link === null) {
      note.textContent = "This is too long for a link.";
    } else {
      note.textContent = "The address of this page is now a link to this form, with what you typed."
        + (is_redacted ? " What looks like a secret is REDACTED in it." : "");
    }
    try {
      history.replaceState(null, "", `#${new URLSearchParams({ tool: form.dataset.tool, ...link })}`);
    } catch {
      // Browsers refuse many changes in a short time.
      note.hidden = true;
    }
  }

  function setBusy(form, text) {
    busy = form;
    say(form, "", text);
    part(form, "answer").replaceChildren();
    part(form, "link").hidden = true;
    part(form, "stop").hidden = false;
  }

  function end(form) {
    const stop = part(form, "stop");
    if (document.activeElement === stop) runButton(form).focus();
    stop.hidden = true;
    busy = null;
    if (next) {
      const asked = next;
      next = null;
      ask(asked);
    }
  }

  function drop() {
    worker?.terminate();
    worker = null;
    isReady = false;
    for (const button of forms.map(runButton)) button.textContent = button.dataset.load;
  }

  function send() {
    say(busy, "", "Running …");
    const typed = Object.fromEntries(fields(busy).map((field) => [field.name, field.value]));
    worker.postMessage({ tool: busy.dataset.tool, typed });
  }

  // Python that has failed may not answer again.
  function fail(text) {
    const form = busy;
    drop();
    say(form, "fails", text);
    end(form);
  }

  function begin() {
    try {
      worker = new Worker(WORKER, { type: "module" });
    } catch (error) {
      return fail(`The playground cannot start: ${error.message}`);
    }
    worker.onmessage = ({ data }) => {
      if (data.loaded) say(busy, "", `Loading: Pyodide ${data.loaded} is there, weburl comes next …`);
      else if (data.ready) {
        isReady = true;
        document.documentElement.dataset.pyodide = data.ready;
        for (const button of forms.map(runButton)) button.textContent = button.dataset.run;
        send();
      } else if (data.error) fail(isReady ? `It failed: ${data.error}` : `It did not load: ${data.error}`);
      else {
        const form = busy;
        show(form, data.answer);
        end(form);
      }
    };
    worker.onerror = () => fail("The files of the playground did not load.");
    worker.postMessage({ start: { wheel: busy.dataset.wheel, needed: busy.dataset.needed } });
  }

  function ask(form) {
    if (busy) {
      next = form;
      return;
    }
    if (location.protocol === "file:") {
      return say(form, "fails", "A page that is opened as a file cannot load Python: run python -m http.server in this "
        + "folder, and open http://localhost:8000/playground.html.");
    }
    setBusy(form, "Loading …");
    if (isReady) send();
    else begin();
  }

  function stop(form) {
    drop();
    next = null;
    say(form, "notes", "Stopped. The button loads Python again.");
    end(form);
  }

  // A link has the name of a form, and the texts of its fields.
  function restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    const form = forms.find((each) => each.dataset.tool === state.get("tool"));
    if (!form) return;
    for (const field of fields(form)) {
      if (!("private" in field.dataset) && state.has(field.name)) field.value = state.get(field.name);
    }
    // With its heading.
    form.parentElement.scrollIntoView({ behavior: "instant" });
    if (isReady) ask(form);
    else say(form, "", "The fields are from the link. The button answers.");
  }

  for (const form of forms) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask(form);
    });
    part(form, "stop").addEventListener("click", () => stop(form));
    for (const field of fields(form)) {
      // In a field of one line, Enter presses the button.
      if (field.rows === 1) {
        field.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          if (isReady) form.requestSubmit();
          else runButton(form).focus();
        });
      }
    }
  }
  addEventListener("hashchange", restore);
  restore();
})();
