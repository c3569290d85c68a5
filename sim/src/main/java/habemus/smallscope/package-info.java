/** Worlds small enough for an exhaustive check, for every algorithm and every guarantee. */
@NullMarked
package habemus.smallscope;

import org.jspecify.annotations.NullMarked;
