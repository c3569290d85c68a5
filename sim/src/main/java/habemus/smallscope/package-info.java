/** Small scopes for exhaustive checks of every algorithm and every guarantee (Jackson's small scope hypothesis). */
@NullMarked
package habemus.smallscope;

import org.jspecify.annotations.NullMarked;
