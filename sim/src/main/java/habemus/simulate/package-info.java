/** Walks one run of a world, chosen by a seed: the same seed walks the same run, on any machine. */
@NullMarked
package habemus.simulate;

import org.jspecify.annotations.NullMarked;
