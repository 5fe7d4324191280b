"""The tasks of tests/tasks as users of other libraries write them: a module for each library, a function for each task.

A module has the name of its distribution, the errors by which the library refuses an input besides ValueError, and for
each task that the library has nothing for, why. What the library does not have, but Python has, its users import, as
they do: urllib.parse, ipaddress, re, pathlib.
"""
