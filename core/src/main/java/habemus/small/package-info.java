/** Worlds that are small enough for the checker to look at wholly, of every algorithm. */
@NullMarked
package habemus.small;

import org.jspecify.annotations.NullMarked;
