# A part of rules.pyx: the automaton of many rules with * and $, made and read in one pass; and how rules and paths are
# spelt. The types are in automaton_types.pxi.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from weburl._arrow.columns cimport count_bits
from weburl._core.ascii cimport hex_value, is_alpha, is_digit, is_hex_digit
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.percent cimport push_percent_encoded
from weburl._core.status cimport OK

cdef enum:
    WIDE = 4                    # a state with more children has a bitmap of them
    FEW_RULES = 24              # are sorted by insertion
    FEW_STARS = 64              # have a table of what begins at them
    MARK = 0x80                 # a delimiter and this bit is a mark


# Spelling paths alike.

cdef enum Spelling:
    SAME = 0
    DELIMITER = 1               # in a query, it can stand for its escape
    PERCENT = 2
    ENCODED = 4                 # neither reserved nor unreserved
    SIGN = 8                    # * and $

cdef uint8_t[256] spelling


cdef void fill_spelling() noexcept:
    cdef int c
    for c in range(256):
        spelling[c] = ENCODED
        if is_alpha(<uint8_t> c) or is_digit(<uint8_t> c):
            spelling[c] = SAME
    for c in b"-._~!&'()+,;=#":
        spelling[c] = SAME
    for c in b":/?@[]":
        spelling[c] = DELIMITER
    spelling[c'*'] = spelling[c'$'] = SIGN
    spelling[c'%'] = PERCENT

fill_spelling()


cdef inline uint8_t to_upper(uint8_t c) noexcept nogil:
    return c - 32 if c'a' <= c <= c'z' else c


cdef inline bint is_escape(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return i + 2 < n and p[i] == c'%' and is_hex_digit(p[i + 1]) and is_hex_digit(p[i + 2])


# Pushes an escape as Google's parser writes it.
cdef inline void push_escape(Buffer* out, const uint8_t* p) noexcept nogil:
    push(out, c'%')
    push(out, to_upper(p[1]))
    push(out, to_upper(p[2]))


# A rule as Google's parser spells it.
cdef void push_as_google(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i < n:
        if is_escape(p, i, n):
            push_escape(out, p + i)
            i += 2
        elif p[i] >= 0x80:
            push_percent_encoded(out, p[i])
        else:
            push(out, p[i])
        i += 1


# Whether a path is spelt so already, but for its delimiters.
cdef bint is_spelt(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t seen = 0
    cdef Py_ssize_t i
    for i in range(n):
        seen |= spelling[p[i]]
    return seen <= DELIMITER


# Whether what is spelt has marks.
cdef bint is_marked(const Buffer* spelt) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(spelt.length):
        if spelt.data[i] & MARK:
            return True
    return False


# https://www.rfc-editor.org/rfc/rfc9309.html#section-2.2.2
#
# A rule, or a path with its query: escapes of what needs none are decoded, and what needs one is escaped.
cdef void push_spelt(Buffer* out, const uint8_t* p, Py_ssize_t n, bint is_rule, Marks marks) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef bint in_query = False
    cdef uint8_t c, value
    while i < n:
        c = p[i]
        if spelling[c] == SAME:
            push(out, c)
        elif spelling[c] == PERCENT:
            if is_escape(p, i, n):
                value = <uint8_t> (hex_value(p[i + 1]) << 4 | hex_value(p[i + 2]))
                if is_alpha(value) or is_digit(value) or value in (c'-', c'.', c'_', c'~'):
                    push(out, value)
                elif marks and spelling[value] == DELIMITER:
                    push(out, value | MARK)
                else:
                    push_escape(out, p + i)
                i += 2
            else:
                push(out, c)
        elif spelling[c] == DELIMITER:
            if marks and (in_query or (marks == ALL_MARKED and c == c'?')):
                push(out, c | MARK)
            else:
                push(out, c)
            in_query = in_query or c == c'?'
        elif is_rule and (c == c'*' or (c == c'$' and i == n - 1)):
            push(out, c)
        else:
            push_percent_encoded(out, c)
        i += 1


# Matching.

cdef inline uint32_t find_child(const Automaton* self, const State* state, uint8_t c) noexcept nogil:
    cdef const uint8_t* labels = self.labels + state.child
    cdef const Bitmap* bitmap
    cdef uint32_t k
    cdef uint64_t bit
    if state.wide:
        bitmap = self.bitmaps + (state.wide - 1)
        bit = <uint64_t> 1 << (c & 63)
        if not bitmap.bits[c >> 6] & bit:
            return 0
        return state.child + bitmap.before[c >> 6] + <uint32_t> count_bits(bitmap.bits[c >> 6] & (bit - 1))
    for k in range(state.count):
        if labels[k] == c:
            return state.child + k
    return 0


# The rank of the rule that decides about a path, or 0.
cdef int64_t best_rank(const Automaton* self, const uint8_t* p, Py_ssize_t n, Scratch* scratch) noexcept nogil:
    cdef const State* state = self.states
    cdef const Outcome* outcome
    cdef Py_ssize_t i = 0, count = 0
    cdef uint32_t child
    cdef int64_t best = 0
    if self.count == 0:
        return 0
    while True:
        if state.report:
            if state.report > n - i or memcmp(p + i, self.pool + state.fail, state.report) != 0:
                break
            i += state.report
        if state.outcome:
            outcome = self.outcomes + (state.outcome - 1)
            best = max(best, outcome.accept)
            if i == n:
                best = max(best, outcome.end)
            if outcome.star:
                scratch.jobs[count].star = outcome.star - 1
                scratch.jobs[count].place = i
                count += 1
        if i == n:
            break
        child = find_child(self, state, p[i])
        if child == 0:
            break
        state = self.states + child
        i += 1
    if count:
        scratch.match += 1
        if scratch.match == 0:
            memset(scratch.visited, 0, self.n_outcomes * sizeof(uint32_t))
            scratch.match = 1
    cdef Py_ssize_t budget = PY_SSIZE_T_MAX
    if self.pieces != NULL:
        # As much as follow_all takes at least.
        budget = 4 * n + self.n_outcomes
    while count:
        count -= 1
        if self.stars[scratch.jobs[count].star].best > best:
            budget -= n - scratch.jobs[count].place
            if budget < 0 and follow_all(self, p, n, scratch, count + 1, &best):
                break
            best = follow_star(self, p, n, scratch, &count, best)
    return best


cdef int64_t follow_star(
    const Automaton* self, const uint8_t* p, Py_ssize_t n, Scratch* scratch, Py_ssize_t* count, int64_t best
) noexcept nogil:
    cdef const Job* job = scratch.jobs + count[0]
    cdef const Star* star = self.stars + job.star
    cdef Py_ssize_t i = job.place
    cdef uint32_t root = star.root, at = root, child, reported, inner = star.inner
    cdef const State* states = self.states
    cdef const Bitmap* first = self.bitmaps + (states[root].wide - 1)
    cdef const uint8_t* begins = star.begins
    cdef const Outcome* outcome
    # If only the end of the path is asked for, only that is read.
    if inner == 0:
        i = max(i, n - <Py_ssize_t> star.depth)
    while i < n:
        while at != root:
            child = find_child(self, states + at, p[i])
            if child:
                at = child
                break
            at = states[at].fail
        if at == root:
            if begins != NULL:
                while i < n and begins[p[i]] == 0:
                    i += 1
                if i == n:
                    break
                at = states[root].child + begins[p[i]] - 1
            else:
                while i < n and not first.bits[p[i] >> 6] >> (p[i] & 63) & 1:
                    i += 1
                if i == n:
                    break
                at = find_child(self, states + root, p[i])
        i += 1
        reported = states[at].report
        while reported and scratch.visited[states[reported].outcome - 1] != scratch.match:
            scratch.visited[states[reported].outcome - 1] = scratch.match
            outcome = self.outcomes + (states[reported].outcome - 1)
            best = max(best, outcome.accept)
            if outcome.star:
                scratch.jobs[count[0]].star = outcome.star - 1
                scratch.jobs[count[0]].place = i
                count[0] += 1
            if outcome.accept or outcome.star:
                inner -= 1
                if inner == 0:
                    if not star.has_ends:
                        return best
                    if n - <Py_ssize_t> star.depth > i:
                        i = n - <Py_ssize_t> star.depth
                        at = root
                        break
            reported = states[states[reported].fail].report
    reported = states[at].report
    while reported:
        best = max(best, self.outcomes[states[reported].outcome - 1].end)
        reported = states[states[reported].fail].report
    return best


# What follow_all knows. Numbers of pieces are from 1 on.
ctypedef struct Search:
    const Automaton* rules
    const uint8_t* p
    Py_ssize_t n
    uint32_t* after             # the piece after a piece that waits for the same
    uint32_t* coming            # of each place, the pieces that can end there or later
    uint32_t* waiting           # of each rank, the pieces that wait for its text
    uint32_t* tree              # the highest end of a text for which pieces wait; its leaves are the ranks
    uint32_t leaves
    Py_ssize_t active           # how many pieces come or wait
    int64_t best


# From a place on, each piece of a star is looked for.
cdef void await_star(Search* self, uint32_t star, Py_ssize_t place) noexcept nogil:
    cdef const Automaton* rules = self.rules
    cdef uint32_t k = rules.everywhere.first[star]
    cdef const Piece* piece
    cdef const Outcome* outcome
    cdef Py_ssize_t end
    while k:
        piece = rules.pieces + (k - 1)
        outcome = rules.outcomes + (k - 1)
        end = place + piece.length
        if end <= self.n:
            if outcome.end > self.best and memcmp(
                self.p + self.n - piece.length, rules.pool + piece.start, piece.length
            ) == 0:
                self.best = outcome.end
            if outcome.accept > self.best or (outcome.star and rules.stars[outcome.star - 1].best > self.best):
                self.after[k - 1] = self.coming[end]
                self.coming[end] = k
                self.active += 1
        k = piece.next


cdef void set_leaf(Search* self, uint32_t rank, uint32_t end) noexcept nogil:
    cdef uint32_t* tree = self.tree
    cdef uint32_t at = self.leaves + rank
    tree[at] = end
    while at > 1:
        at >>= 1
        end = max(tree[2 * at], tree[2 * at + 1])
        if tree[at] == end:
            break
        tree[at] = end


# The longest text with which this one ends and for which pieces wait, or -1: of the ranks up to this one whose texts
# end after it, the last.
cdef int64_t find_waiting(const Search* self, uint32_t rank) noexcept nogil:
    cdef const uint32_t* tree = self.tree
    cdef uint32_t at = self.leaves + rank
    if tree[at] > rank:
        return rank
    while not (at & 1 and tree[at - 1] > rank):
        at >>= 1
        if at <= 1:
            return -1
    at -= 1
    while at < self.leaves:
        at = 2 * at + 1
        if tree[at] <= rank:
            at -= 1
    return at - self.leaves


# Follows all stars at once; false if memory runs out, and then nothing is done. What waits for a text is told at the
# first place where that ends, and then waits for its next one: so each piece is told once. To find which texts end at a
# place takes as many steps as the depth of `tree`.
cdef bint follow_all(
    const Automaton* self, const uint8_t* p, Py_ssize_t n, const Scratch* scratch, Py_ssize_t count, int64_t* best
) noexcept nogil:
    cdef const Everywhere* everywhere = &self.everywhere
    cdef const Automaton* finder = everywhere.finder
    cdef uint32_t root = finder.stars[0].root, at = root, k, rank, reported
    cdef int64_t found
    cdef Py_ssize_t i = n, j
    cdef Search search
    cdef const Outcome* outcome
    search.rules = self
    search.p = p
    search.n = n
    search.active = 0
    search.best = best[0]
    search.leaves = 1
    while search.leaves < everywhere.count:
        search.leaves *= 2
    search.after = <uint32_t*> calloc(
        <size_t> self.n_outcomes + <size_t> n + 1 + everywhere.count + 2 * <size_t> search.leaves, sizeof(uint32_t)
    )
    if search.after == NULL:
        return False
    search.coming = search.after + self.n_outcomes
    search.waiting = search.coming + n + 1
    search.tree = search.waiting + everywhere.count
    for j in range(count):
        i = min(i, scratch.jobs[j].place)
        await_star(&search, scratch.jobs[j].star, scratch.jobs[j].place)
    while i < n and search.active:
        at = fail_of(finder, at, root, p[i])
        i += 1
        while search.coming[i]:
            k = search.coming[i]
            search.coming[i] = search.after[k - 1]
            rank = self.pieces[k - 1].rank
            search.after[k - 1] = search.waiting[rank]
            if search.waiting[rank] == 0:
                set_leaf(&search, rank, everywhere.ends[rank])
            search.waiting[rank] = k
        reported = finder.states[at].report
        if reported == 0 or search.tree[1] == 0:
            continue
        rank = everywhere.ranks[finder.states[reported].outcome - 1]
        while True:
            found = find_waiting(&search, rank)
            if found < 0:
                break
            set_leaf(&search, <uint32_t> found, 0)
            k = search.waiting[found]
            search.waiting[found] = 0
            while k:
                outcome = self.outcomes + (k - 1)
                search.best = max(search.best, outcome.accept)
                search.active -= 1
                if outcome.star and self.stars[outcome.star - 1].best > search.best:
                    await_star(&search, outcome.star - 1, i)
                k = search.after[k - 1]
    free(search.after)
    best[0] = search.best
    return True


# Making the tree.

cdef void* grown(void* data, uint32_t count, uint32_t* capacity, size_t size) noexcept nogil:
    cdef size_t more
    if count < capacity[0]:
        return data
    more = 2 * <size_t> capacity[0] + 8
    capacity[0] = <uint32_t> more
    return realloc(data, more * size)


# What comes after `depth` bytes: 0 for nothing, else the byte and 1.
cdef inline uint32_t next_symbol(const Builder* self, uint32_t rule, uint32_t depth) noexcept nogil:
    cdef const Pattern* pattern = self.patterns + rule
    return <uint32_t> (0 if depth == pattern.length else 1 + self.pool.data[pattern.start + depth])


# Sorts rules by what comes next; equal ones stay in order.
cdef void sort_range(Builder* self, uint32_t begin, uint32_t end, uint32_t depth) noexcept nogil:
    cdef uint32_t[258] starts
    cdef uint32_t* order = self.order
    cdef uint32_t i, k, rule, symbol
    if end - begin < FEW_RULES:
        for i in range(begin + 1, end):
            rule = order[i]
            symbol = next_symbol(self, rule, depth)
            k = i
            while k > begin and next_symbol(self, order[k - 1], depth) > symbol:
                order[k] = order[k - 1]
                k -= 1
            order[k] = rule
        return
    memset(starts, 0, sizeof(starts))
    for i in range(begin, end):
        starts[next_symbol(self, order[i], depth) + 1] += 1
    for k in range(257):
        starts[k + 1] += starts[k]
    for i in range(begin, end):
        symbol = next_symbol(self, order[i], depth)
        self.other[begin + starts[symbol]] = order[i]
        starts[symbol] += 1
    memcpy(order + begin, self.other + begin, (end - begin) * sizeof(uint32_t))


cdef bint add_state(Builder* self, uint8_t label, const Range* range_) noexcept nogil:
    cdef Automaton* made = self.made
    cdef uint32_t capacity = self.capacity, copy = self.capacity
    cdef void* data = grown(made.states, made.n_states, &copy, sizeof(State))
    if data == NULL:
        return False
    made.states = <State*> data
    copy = capacity
    data = grown(made.labels, made.n_states, &copy, 1)
    if data == NULL:
        return False
    made.labels = <uint8_t*> data
    data = grown(self.ranges, made.n_states, &capacity, sizeof(Range))
    if data == NULL:
        return False
    self.ranges = <Range*> data
    self.capacity = capacity
    memset(made.states + made.n_states, 0, sizeof(State))
    made.labels[made.n_states] = label
    self.ranges[made.n_states] = range_[0]
    made.n_states += 1
    return True


# The state where the text of a child begins whose parent, below a star, has this `fail`.
cdef uint32_t fail_of(const Automaton* self, uint32_t fail, uint32_t root, uint8_t c) noexcept nogil:
    cdef uint32_t child
    while True:
        child = find_child(self, self.states + fail, c)
        if child:
            return child
        if fail == root:
            return root
        fail = self.states[fail].fail


cdef bint add_bitmap(Builder* self, uint32_t at) noexcept nogil:
    cdef Automaton* made = self.made
    cdef State* state = made.states + at
    cdef Bitmap* bitmap
    cdef uint32_t k
    cdef uint8_t c
    cdef void* data = grown(made.bitmaps, made.n_bitmaps, &self.bitmap_capacity, sizeof(Bitmap))
    if data == NULL:
        return False
    made.bitmaps = <Bitmap*> data
    bitmap = made.bitmaps + made.n_bitmaps
    made.n_bitmaps += 1
    memset(bitmap, 0, sizeof(Bitmap))
    for k in range(state.count):
        c = made.labels[state.child + k]
        bitmap.bits[c >> 6] |= <uint64_t> 1 << (c & 63)
    for k in range(3):
        bitmap.before[k + 1] = bitmap.before[k] + <uint32_t> count_bits(bitmap.bits[k])
    state.wide = made.n_bitmaps
    return True


# A faster way than the bitmap, for as many stars as most files have.
cdef bint add_table(Automaton* made, Star* star) noexcept nogil:
    cdef const State* state = made.states + star.root
    cdef uint32_t k
    if state.count > 255:
        return True
    star.begins = <uint8_t*> calloc(256, 1)
    if star.begins == NULL:
        return False
    for k in range(state.count):
        star.begins[made.labels[state.child + k]] = <uint8_t> (k + 1)
    return True


# Makes the children of a state, its outcome and, below a star, its links.
cdef bint expand(Builder* self, uint32_t at) noexcept nogil:
    cdef Automaton* made = self.made
    cdef Range source = self.ranges[at], below
    cdef State* state = made.states + at
    cdef Outcome outcome
    cdef Star* star
    cdef uint32_t root = made.stars[source.star - 1].root if source.star else 0, fail = state.fail
    cdef uint32_t i, begin, depth = source.depth, symbol, count = 0, first = 0, star_begin = 0, star_end = 0
    cdef int64_t best
    cdef const Pattern* pattern
    cdef Piece* piece
    cdef void* data
    memset(&outcome, 0, sizeof(outcome))
    if source.star == 0 and source.end - source.begin == 1:
        pattern = self.patterns + self.order[source.begin]
        state.fail = pattern.start + depth
        while depth < pattern.length and self.pool.data[pattern.start + depth] not in (0, c'*'):
            depth += 1
        state.report = depth - source.depth
    sort_range(self, source.begin, source.end, depth)
    below.star = source.star
    below.depth = depth + 1
    below.level = source.level + 1
    begin = source.begin
    while begin < source.end:
        symbol = next_symbol(self, self.order[begin], depth)
        best = 0
        i = begin
        while i < source.end and next_symbol(self, self.order[i], depth) == symbol:
            best = max(best, made.rules[self.order[i]].rank)
            i += 1
        if symbol == 0:
            outcome.accept = best
        elif symbol == 1:
            outcome.end = best
        elif symbol == 1 + c'*':
            data = grown(made.stars, made.n_stars, &self.star_capacity, sizeof(Star))
            if data == NULL:
                return False
            made.stars = <Star*> data
            star = made.stars + made.n_stars
            memset(star, 0, sizeof(Star))
            star.best = best
            made.n_stars += 1
            outcome.star = made.n_stars
            star_begin = begin
            star_end = i
        else:
            below.begin = begin
            below.end = i
            if not add_state(self, <uint8_t> (symbol - 1), &below):
                return False
            if count == 0:
                first = made.n_states - 1
            count += 1
            if source.star:
                made.stars[source.star - 1].depth = below.level
                # Of a child of the root, the root.
                made.states[made.n_states - 1].fail = (
                    root if at == root else fail_of(made, fail, root, <uint8_t> (symbol - 1))
                )
        begin = i
    state = made.states + at
    state.child = first
    state.count = count
    if outcome.accept or outcome.end or outcome.star:
        data = grown(made.outcomes, made.n_outcomes, &self.outcome_capacity, sizeof(Outcome))
        if data == NULL:
            return False
        made.outcomes = <Outcome*> data
        made.outcomes[made.n_outcomes] = outcome
        data = grown(made.pieces, made.n_outcomes, &self.piece_capacity, sizeof(Piece))
        if data == NULL:
            return False
        made.pieces = <Piece*> data
        piece = made.pieces + made.n_outcomes
        piece.star = source.star
        piece.length = source.level
        piece.start = self.patterns[self.order[source.begin]].start + source.depth - source.level
        made.n_outcomes += 1
        state.outcome = made.n_outcomes
    if source.star:
        star = made.stars + (source.star - 1)
        star.inner += outcome.accept != 0 or outcome.star != 0
        star.has_ends = star.has_ends or outcome.end != 0
        state.report = at if state.outcome else made.states[fail].report
    if (count > WIDE or (source.star and at == root)) and not add_bitmap(self, at):
        return False
    if source.star and at == root and source.star <= FEW_STARS and not add_table(made, made.stars + (source.star - 1)):
        return False
    if outcome.star:
        below.begin = star_begin
        below.end = star_end
        below.star = outcome.star
        below.level = 0
        made.stars[outcome.star - 1].root = made.n_states
        if not add_state(self, 0, &below):
            return False
        made.states[made.n_states - 1].fail = made.n_states - 1
    return True


cdef bint add_pattern(Builder* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Buffer* pool = &self.pool
    cdef Pattern* pattern = self.patterns + self.made.count
    cdef bint anchored = n > 0 and p[n - 1] == c'$'
    cdef Py_ssize_t i
    n -= anchored
    if n and p[n - 1] == c'*':
        anchored = False
        while n and p[n - 1] == c'*':
            n -= 1
    pattern.start = <uint32_t> pool.length
    for i in range(n):
        if not (p[i] == c'*' and i and p[i - 1] == c'*'):
            push(pool, p[i])
    if anchored:
        push(pool, 0)
    pattern.length = <uint32_t> pool.length - pattern.start
    return pool.status == OK


# Makes room for so many rules. This, `add_rule` and `build` are false if memory runs out.
cdef bint open_builder(Builder* self, Automaton* made, Py_ssize_t count) noexcept nogil:
    memset(self, 0, sizeof(Builder))
    self.made = made
    start(&self.pool, self.scratch, sizeof(self.scratch), PY_SSIZE_T_MAX)
    made.rules = <Rule*> calloc(count + 1, sizeof(Rule))
    self.patterns = <Pattern*> calloc(count + 1, sizeof(Pattern))
    self.order = <uint32_t*> calloc(count + 1, sizeof(uint32_t))
    self.other = <uint32_t*> calloc(count + 1, sizeof(uint32_t))
    return made.rules != NULL and self.patterns != NULL and self.order != NULL and self.other != NULL


# A rule by its spelt text, and where it is in the file; texts are added in the order of lines.
cdef bint add_rule(
    Builder* self, const uint8_t* p, Py_ssize_t n, bint allows, Py_ssize_t line, Py_ssize_t start, Py_ssize_t length
) noexcept nogil:
    cdef Automaton* made = self.made
    cdef Rule* rule = made.rules + made.count
    cdef Py_ssize_t i, rank = n
    # What does not begin as a path does matches none.
    if n == 0 or (p[0] != c'/' and p[0] != c'*'):
        return True
    if not add_pattern(self, p, n):
        return False
    for i in range(n):
        if p[i] & MARK:
            made.has_marks = True
            # As long as the escape that it stands for.
            rank += 2
    rule.line = line
    rule.start = start
    rule.length = length
    rule.allows = allows
    rule.rank = (2 * <int64_t> rank + allows) << 31 | (<int64_t> MOST_RULES - made.count)
    made.count += 1
    return True


cdef bint build(Builder* self) noexcept nogil:
    cdef Automaton* made = self.made
    cdef Range root
    cdef Py_ssize_t k
    cdef uint32_t i = 0
    memset(&root, 0, sizeof(root))
    root.end = <uint32_t> made.count
    for k in range(made.count):
        self.order[k] = <uint32_t> k
    if not add_state(self, 0, &root):
        return False
    while i < made.n_states:
        if not expand(self, i):
            return False
        i += 1
    made.pool = <uint8_t*> malloc(self.pool.length + 1)
    if made.pool == NULL:
        return False
    memcpy(made.pool, self.pool.data, self.pool.length)
    if made.n_stars <= FEW_STARS:
        free(made.pieces)
        made.pieces = NULL
        return True
    return build_everywhere(made)


# The tree of the texts of all stars.
cdef bint build_everywhere(Automaton* self) noexcept nogil:
    cdef Everywhere* everywhere = &self.everywhere
    cdef Automaton* finder
    cdef Builder builder
    cdef Piece* piece
    cdef uint32_t k
    cdef bint done
    everywhere.finder = finder = <Automaton*> calloc(1, sizeof(Automaton))
    everywhere.first = <uint32_t*> calloc(self.n_stars, sizeof(uint32_t))
    if finder == NULL or everywhere.first == NULL:
        return False
    done = open_builder(&builder, finder, self.n_outcomes)
    if done:
        for k in range(self.n_outcomes):
            piece = self.pieces + k
            if piece.star == 0:
                continue
            piece.next = everywhere.first[piece.star - 1]
            everywhere.first[piece.star - 1] = k + 1
            builder.patterns[finder.count].start = <uint32_t> builder.pool.length
            builder.patterns[finder.count].length = piece.length + 1
            push(&builder.pool, c'*')
            push_run(&builder.pool, self.pool + piece.start, piece.length)
            finder.rules[finder.count].rank = 1
            finder.count += 1
        done = builder.pool.status == OK and build(&builder)
    close_builder(&builder)
    return done and rank_texts(self)


# A text has a lower rank than all that end with it, and these follow it.
cdef bint rank_texts(Automaton* self) noexcept nogil:
    cdef Everywhere* everywhere = &self.everywhere
    cdef const Automaton* finder = everywhere.finder
    cdef const State* states = finder.states
    # Outcomes are made in the order of lengths. The first one is that of the star.
    cdef uint32_t count = finder.n_outcomes, k, at, i, above, rank, next_root = 0
    cdef uint32_t* sizes = <uint32_t*> calloc(2 * <size_t> count, sizeof(uint32_t))
    cdef uint32_t* parents = sizes + count
    cdef Piece* piece
    everywhere.count = count
    everywhere.ranks = <uint32_t*> calloc(count, sizeof(uint32_t))
    everywhere.ends = <uint32_t*> calloc(count, sizeof(uint32_t))
    if sizes == NULL or everywhere.ranks == NULL or everywhere.ends == NULL:
        free(sizes)
        return False
    for at in range(finder.n_states):
        if states[at].outcome and states[at].report == at:
            above = states[states[at].fail].report
            parents[states[at].outcome - 1] = states[above].outcome if above else 0
    for k in range(count - 1, 0, -1):
        sizes[k] += 1
        if parents[k]:
            sizes[parents[k] - 1] += sizes[k]
    # `sizes` becomes where the next text below goes.
    for k in range(1, count):
        if parents[k]:
            rank = sizes[parents[k] - 1]
            sizes[parents[k] - 1] += sizes[k]
        else:
            rank = next_root
            next_root += sizes[k]
        everywhere.ranks[k] = rank
        everywhere.ends[rank] = rank + sizes[k]
        sizes[k] = rank + 1
    free(sizes)
    for k in range(self.n_outcomes):
        piece = self.pieces + k
        if piece.star:
            at = finder.stars[0].root
            for i in range(piece.length):
                at = find_child(finder, states + at, self.pool[piece.start + i])
            piece.rank = everywhere.ranks[states[at].outcome - 1]
    return True


cdef void close_builder(Builder* self) noexcept nogil:
    free(self.patterns)
    free(self.order)
    free(self.other)
    free(self.ranges)
    release(&self.pool)


cdef void close_automaton(Automaton* self) noexcept nogil:
    cdef uint32_t k
    for k in range(min(self.n_stars, <uint32_t> FEW_STARS)):
        free(self.stars[k].begins)
    free(self.rules)
    free(self.pool)
    free(self.states)
    free(self.labels)
    free(self.outcomes)
    free(self.stars)
    free(self.bitmaps)
    free(self.pieces)
    free(self.everywhere.first)
    free(self.everywhere.ranks)
    free(self.everywhere.ends)
    if self.everywhere.finder != NULL:
        close_automaton(self.everywhere.finder)
        free(self.everywhere.finder)
