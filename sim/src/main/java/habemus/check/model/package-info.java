/** The vocabulary of a check: scope, options, actions, moves, node states, and the report. */
@NullMarked
package habemus.check.model;

import org.jspecify.annotations.NullMarked;
