/** The simulator: runs an algorithm in a world, deterministically by a seed. */
@NullMarked
package habemus.simulate;

import org.jspecify.annotations.NullMarked;
