/** Turns visited states into readable runs: paths, schedules, traces and replays. */
@NullMarked
package habemus.check.counterexample;

import org.jspecify.annotations.NullMarked;
