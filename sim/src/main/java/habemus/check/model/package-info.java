/** The vocabulary of a check: scope, options, actions, node states, schedules and the report. */
@NullMarked
package habemus.check.model;

import org.jspecify.annotations.NullMarked;
