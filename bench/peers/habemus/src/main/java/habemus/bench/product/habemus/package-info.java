/** Habemus itself, driven like the others. */
@NullMarked
package habemus.bench.product.habemus;

import org.jspecify.annotations.NullMarked;
