/** The checker beside TLC, in one run, on the same states. */
@NullMarked
package habemus.bench;

import org.jspecify.annotations.NullMarked;
