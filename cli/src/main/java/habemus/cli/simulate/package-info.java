/** Commands of the simulator: run, fuzz, replay, and the scenarios. */
@NullMarked
package habemus.cli.simulate;

import org.jspecify.annotations.NullMarked;
