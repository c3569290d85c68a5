/** Liveness under weak fairness: strongly connected components, fair cycles, bounded bypass. */
@NullMarked
package habemus.check.liveness;

import org.jspecify.annotations.NullMarked;
