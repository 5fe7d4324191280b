"""The libraries that bench.py, bench_lengths.py, bench_patterns.py and instructions.py compare: a module for each.

The modules have the same function names; one leaves out what its library lacks. These are in several of them:

`href(url, base=None)` is the serialization, or None on failure: it is not timed, it chooses and checks the inputs.
Every other function is a plain for loop over its inputs, and is what gets timed:

    parse, parse_parts (hostname, pathname, search), can_parse, normalize, fail (raise and catch)    urls
    parse_relative, join, can_parse_relative                                                         (ref, base) pairs
    params, params_list, params_str, params_all                                                      queries
    percent_encode, percent_decode                                                                   texts
    make_patterns                                                                                    URL patterns
    pattern_test, pattern_groups, of what pattern() makes                                            urls
"""
