"""Generated links of five styles, after real sites, on which learnt routes are scored.

No rule is mended with them, and nobody looks at them one by one: other sites are for that.
"""

from __future__ import annotations

from random import Random

from learning.site import BASE62, Site, characters, integer, one_of, pool, ranked, word, words


# The API of a service that streams music: ids of 22 letters and digits, users with names, numbers or long ids.
def listener(random: Random) -> str:
    kind = random.random()
    if kind < 0.4:
        return "31" + characters("abcdefghijklmnopqrstuvwxyz234567", 26)(random)
    return (
        str(random.randrange(10**9, 13 * 10**9)) if kind < 0.6 else f"{word(random)}{random.choice(['', '_', 7, 91])}"
    )


def playlist(random: Random) -> str:
    """One of the service's own, or one of a user."""
    return f"37i9dQZF1DX{MUSIC_ID(random)[:11]}" if random.random() < 0.5 else MUSIC_ID(random)


MUSIC_ID = characters(BASE62, 22)
GENRES = "toplists hiphop pop mood rock workout indie_alt edm_dance chill sleep party jazz classical kpop".split()
MUSIC = Site(
    "api.music.example",
    [
        (30, "/v1/tracks/<track>"), (6, "/v1/tracks?ids=<track>%2C<track>"), (10, "/v1/albums/<album>"),
        (6, "/v1/albums/<album>/tracks?limit=50"), (9, "/v1/artists/<artist>"), (5, "/v1/artists/<artist>/albums"),
        (4, "/v1/artists/<artist>/top-tracks?market=<market>"), (2, "/v1/artists/<artist>/related-artists"),
        (10, "/v1/playlists/<playlist>"), (12, "/v1/playlists/<playlist>/tracks?offset=<offset>&limit=100"),
        (2, "/v1/playlists/<playlist>/images"), (2, "/v1/users/<user>"), (4, "/v1/users/<user>/playlists"),
        (8, "/v1/me"), (20, "/v1/me/player"), (14, "/v1/me/player/currently-playing"), (3, "/v1/me/player/play"),
        (2, "/v1/me/player/next"), (4, "/v1/me/tracks/contains?ids=<track>"), (3, "/v1/me/top/artists"),
        (3, "/v1/me/top/tracks"), (9, "/v1/audio-features/<track>"), (9, "/v1/search?q=<query>&type=track"),
        (1, "/v1/browse/categories/<genre>"), (2, "/v1/browse/categories/<genre>/playlists"),
        (2, "/v1/browse/new-releases"), (1, "/v1/episodes/<track>"), (1, "/v1/shows/<track>/episodes"),
    ],
    {
        "track": MUSIC_ID, "album": pool(MUSIC_ID, 40_000, 0.8), "artist": pool(MUSIC_ID, 20_000, 0.9),
        "playlist": pool(playlist, 30_000),
        "market": ranked("US GB DE BR MX FR ES SE".split()), "offset": lambda random: f"{random.randrange(20)}00",
        "user": listener, "query": lambda random: f"{word(random)}%20{word(random)}", "genre": ranked(GENRES),
    },
)  # fmt: skip


# A university's courses in Moodle: scripts with ids in the query, and scripts with the path of a file behind them.
REVISION = ranked(["1718870401", "1716281100", "1709542218"], 2)
TITLES = pool(lambda random: "%20".join([word(random).title() for _ in range(random.randint(1, 4))]), 5000, 0.8)
MODULES = "resource assign forum quiz page folder url label choice book lti feedback h5pactivity wiki glossary".split()


def document(random: Random) -> str:
    title = TITLES(random)
    if random.random() < 0.4:
        title = random.choice(
            [f"Lecture_{random.randrange(1, 15)}", f"WS{random.randrange(18, 27)}_{title}", f"{title}%20v2"]
        )
    return f"{title}.{random.choice(['pdf', 'pdf', 'pdf', 'pptx', 'docx', 'zip', 'mp4', 'xlsx'])}"


PICTURES = "core/t/expanded core/i/loading core/t/sort core/f/pdf-24 core/i/info core/u/f2".split()
MOODLE = Site(
    "moodle.uni.example",
    [
        (9, "/"), (12, "/my/"), (2, "/my/courses.php"), (30, "/course/view.php?id=<course>"),
        (2, "/course/index.php?categoryid=<n>"), (2, "/course/section.php?id=<n>"), (9, "/login/index.php"),
        (1, "/login/logout.php?sesskey=<key>"), (40, "/mod/<module>/view.php?id=<n>"),
        (3, "/mod/assign/index.php?id=<course>"), (9, "/mod/forum/discuss.php?d=<n>"),
        (6, "/mod/quiz/attempt.php?attempt=<n>&cmid=<n>"), (3, "/mod/quiz/review.php?attempt=<n>"),
        (1, "/mod/quiz/processattempt.php"), (6, "/user/view.php?id=<n>&course=<course>"),
        (3, "/user/index.php?id=<course>"), (2, "/grade/report/user/index.php?id=<course>"),
        (3, "/calendar/view.php?view=month&time=<time>"), (2, "/message/index.php"),
        (50, "/lib/ajax/service.php?sesskey=<key>&info=core_fetch_notifications"),
        (20, "/pluginfile.php/<context>/mod_<files>/content/<item>/<document>"),
        (3, "/pluginfile.php/<context>/assignsubmission_file/submission_files/<n>/<document>"),
        (9, "/pluginfile.php/<context>/user/icon/boost/<size>?rev=<n>"),
        (5, "/pluginfile.php/<context>/course/section/<n>/<picture>.png"),
        (6, "/theme/styles.php/boost/<revision>_1/all"), (9, "/theme/image.php/boost/<pix>"),
        (2, "/theme/font.php/boost/core/<revision>/fontawesome-webfont.woff2"),
        (6, "/lib/requirejs.php/<revision>/core/first.js"),
        (6, "/lib/javascript.php/<revision>/lib/javascript-static.js"),
    ],
    {
        "course": pool(integer(40_000), 3000, 0.8), "n": integer(900_000), "key": characters(BASE62, 10),
        "module": ranked(MODULES), "time": integer(1_800_000_000), "context": integer(2_000_000),
        "files": ranked(["resource", "folder", "page", "label"], 1.5), "item": ranked(list("102345"), 2),
        "document": document, "size": one_of("f1", "f2", "f3"), "picture": TITLES, "revision": REVISION,
        "pix": lambda random: f"core/{REVISION(random)}/{random.choice(PICTURES).partition('/')[2]}",
    },
)  # fmt: skip


# A firm's issues and pages, in Jira and Confluence.
PROJECTS = pool(lambda random: characters("ABCDEFGHIJKLMNOPRSTW", random.randint(2, 6))(random), 140, 0.9)
SPACES = pool(lambda random: characters("ABCDEFGHIJKLMNOPRSTW", random.randint(2, 8))(random), 90, 0.9)
HEADING = pool(lambda random: "+".join([word(random).title() for _ in range(random.randint(1, 7))]), 9000, 0.8)


def issue(random: Random) -> str:
    return f"{PROJECTS(random)}-{min(int(random.expovariate(1 / 1500)), 15_000) + 1}"


def space(random: Random) -> str:
    if random.random() < 0.12:
        return f"~{random.getrandbits(96):024x}"
    return SPACES(random)


def attachment(random: Random) -> str:
    if random.random() < 0.5:
        return (
            f"image-2026{random.randrange(1, 13):02}{random.randrange(1, 29):02}-{random.randrange(60000, 99999)}.png"
        )
    return f"{word(random)}%20{word(random)}.{random.choice(['png', 'log', 'docx', 'xlsx', 'pdf', 'zip'])}"


JIRA = Site(
    "work.example",
    [
        (25, "/browse/<issue>"), (8, "/jira/software/projects/<project>/boards/<n>"),
        (5, "/jira/software/c/projects/<project>/boards/<n>/backlog"), (4, "/jira/your-work"),
        (3, "/secure/Dashboard.jspa?selectPageId=<n>"), (12, "/rest/api/3/issue/<key>"),
        (5, "/rest/api/3/issue/<key>/comment"), (2, "/rest/api/3/issue/<key>/comment/<n>"),
        (3, "/rest/api/3/issue/<key>/transitions"), (2, "/rest/api/3/issue/<key>/worklog"),
        (9, "/rest/api/3/search?jql=project%20%3D%20<project>"), (2, "/rest/api/3/project/<project>"),
        (3, "/rest/api/3/myself"), (2, "/rest/api/3/field"), (4, "/rest/agile/1.0/board/<n>/sprint"),
        (2, "/rest/agile/1.0/sprint/<n>/issue"), (5, "/rest/api/3/attachment/content/<n>"),
        (3, "/secure/attachment/<n>/<attachment>"), (4, "/secure/viewavatar?size=xsmall&avatarId=<n>"),
        (9, "/wiki/home"), (25, "/wiki/spaces/<space>/pages/<page>/<heading>"),
        (6, "/wiki/spaces/<space>/overview"), (3, "/wiki/spaces/<space>/pages/edit-v2/<page>"),
        (2, "/wiki/spaces/<space>/blog/<date>/<page>/<heading>"), (9, "/wiki/rest/api/content/<page>"),
        (4, "/wiki/rest/api/content/<page>/child/comment"), (5, "/wiki/download/attachments/<page>/<attachment>"),
        (4, "/wiki/download/thumbnails/<page>/<attachment>"), (3, "/wiki/x/<tiny>"),
        (6, "/gateway/api/graphql"), (5, "/rest/webResources/1.0/resources"),
    ],
    {
        "issue": issue, "project": PROJECTS, "space": space, "n": integer(40_000), "attachment": attachment,
        "key": lambda random: issue(random) if random.random() < 0.6 else str(random.randrange(10_000, 400_000)),
        "page": lambda random: str(random.randrange(10**5, 4 * 10**9)), "heading": HEADING,
        "tiny": characters(f"{BASE62}-_", 6),
        "date": lambda random: f"202{random.randrange(7)}/{random.randrange(1, 13):02}/{random.randrange(1, 29):02}",
    },
)  # fmt: skip


# A country's laws: the kind, the year, the number, and then a part of the law, a date or a format.
KINDS = ranked("ukpga uksi eur asp ssi wsi nisr asc nia ukla ukpgapub eudn anaw mwa ukmo".split())


def number(random: Random) -> str:
    """The kind, the year and the number of a law: acts are few in a year, instruments many."""
    kind = KINDS(random)
    most = 3400 if kind in ("uksi", "eur", "eudn") else 500 if kind in ("ssi", "wsi", "nisr") else 60
    return f"{kind}/{2026 - min(int(random.expovariate(0.09)), 160)}/{random.randrange(1, most)}"


LAW = pool(number, 30_000, 0.8)


def commencement(random: Random) -> str:
    return f"{random.randrange(2005, 2027)}-{random.randrange(1, 13):02}-{random.choice(['01', '06', '31', '25'])}"


def provision(random: Random) -> str:
    letter = random.choice("ABCDZ") if random.random() < 0.12 else ""
    return f"{min(int(random.expovariate(1 / 25)), 600) + 1}{letter}"


LEGISLATION = Site(
    "laws.example",
    [
        (8, "/"), (3, "/browse/uk"), (2, "/new"), (2, "/help"), (6, "/search?title=<word>&year=<year>"),
        (4, "/<kind>"), (6, "/<kind>/<year>"), (14, "/<law>"), (20, "/<law>/contents"), (5, "/<law>/contents/made"),
        (4, "/<law>/introduction"), (30, "/<law>/section/<provision>"), (9, "/<law>/section/<provision>/<date>"),
        (6, "/<law>/section/<provision>/enacted"), (10, "/<law>/regulation/<provision>"),
        (6, "/<law>/article/<provision>"), (8, "/<law>/schedule/<schedule>"),
        (3, "/<law>/schedule/<schedule>/paragraph/<provision>"), (5, "/<law>/part/<schedule>"),
        (3, "/<law>/part/<schedule>/chapter/<schedule>"), (2, "/<law>/crossheading/<slug>"), (4, "/<law>/data.xml"),
        (2, "/<law>/section/<provision>/data.htm"), (5, "/<law>/pdfs/<kind>_<year><n>_en.pdf"),
        (2, "/changes/affected/<law>"), (3, "/id/<law>"), (2, "/<kind>/<year>/data.feed?page=<schedule>"),
        (6, "/styles/<style>.css"), (3, "/scripts/<script>.js"), (4, "/images/chrome/<image>.gif"),
    ],
    {
        "word": word, "kind": KINDS, "law": LAW, "provision": provision, "slug": pool(words, 3000, 0.8),
        "year": lambda random: str(2026 - min(int(random.expovariate(0.09)), 160)),
        "schedule": ranked([str(n) for n in range(1, 25)], 1.2), "n": lambda random: f"{random.randrange(3400):04}",
        "date": commencement,
        "style": one_of("screen", "print", "legislation", "website", "errors"),
        "script": one_of("jquery-1.6.2", "cookies", "search", "leg-timeline"),
        "image": one_of("logo", "btn_search", "bg_tabs", "icon_timeline", "arrow_down", "quickSearch"),
    },
)  # fmt: skip


# Results of matches in a dozen sports: the sport, the country, the league, and pages of teams, players and matches.
SPORTS = ranked("football tennis basketball hockey handball volleyball baseball rugby-union cricket darts".split(), 1.4)
COUNTRIES = ranked(
    """england spain germany italy france europe world usa brazil netherlands portugal turkey poland argentina
    scotland belgium austria switzerland denmark sweden norway greece czech-republic mexico japan south-korea""".split()
)
LEAGUE = pool(lambda random: words(random, 1, 2), 260, 0.9)
TEAM_ID = characters(BASE62, 8)
CLUB = pool(lambda random: f"{words(random, 1, 2)}/{TEAM_ID(random)}", 6000, 0.9)
PLAYER = pool(lambda random: f"{word(random)}-{word(random)}/{TEAM_ID(random)}", 25_000, 0.8)


def league(random: Random) -> str:
    return f"{SPORTS(random)}/{COUNTRIES(random)}/{LEAGUE(random)}"


def season(random: Random) -> str:
    """A league with the years of a season."""
    year = random.randrange(2010, 2026)
    return f"{league(random)}-{year}-{year + 1}" if random.random() < 0.8 else f"{league(random)}-{year}"


def match(random: Random) -> str:
    one, other = CLUB(random).replace("/", "-"), CLUB(random).replace("/", "-")
    return f"{SPORTS(random)}/{one}/{other}"


RESULTS = Site(
    "scores.example",
    [
        (20, "/"), (14, "/<sport>/"), (6, "/<sport>/<country>/"), (14, "/<league>/"), (9, "/<league>/results/"),
        (6, "/<league>/fixtures/"), (9, "/<league>/standings/"), (2, "/<league>/archive/"), (3, "/<season>/"),
        (30, "/match/<match>/"), (8, "/match/<match>/summary/stats/"), (5, "/match/<match>/h2h/overall/"),
        (3, "/match/<match>/odds/"), (9, "/team/<club>/"), (4, "/team/<club>/results/"), (3, "/team/<club>/squad/"),
        (7, "/player/<player>/"), (4, "/news/"), (5, "/news/<slug>/<id>/"), (2, "/favourites/"),
        (30, "/x/feed/f_<digit>_<digit>_2_en_1"), (25, "/x/feed/df_sui_1_<id>"), (9, "/x/feed/df_st_1_<id>"),
        (9, "/res/image/data/<logo>-<logo>.png"), (4, "/res/styles/container.<n>.css"), (2, "/mobile/"),
        (1, "/terms-of-use/"), (1, "/ads.txt"),
    ],
    {
        "sport": SPORTS, "country": COUNTRIES, "league": league, "season": season, "match": match, "club": CLUB,
        "player": PLAYER, "slug": pool(lambda random: words(random, 4, 9), 4000, 0.9), "id": TEAM_ID,
        "digit": integer(10), "logo": pool(TEAM_ID, 90, 0.2), "n": integer(400),
    },
)  # fmt: skip

HELD_OUT = [MUSIC, MOODLE, JIRA, LEGISLATION, RESULTS]
