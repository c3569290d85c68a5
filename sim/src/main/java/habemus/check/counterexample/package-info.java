/** Turns visited states into a readable run: paths, schedules, traces, replays. */
@NullMarked
package habemus.check.counterexample;

import org.jspecify.annotations.NullMarked;
