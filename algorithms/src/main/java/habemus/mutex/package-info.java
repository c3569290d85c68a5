/** Algorithms for mutual exclusion, one per file. */
@NullMarked
package habemus.mutex;

import org.jspecify.annotations.NullMarked;
