/** The checker beside TLC, in one run, on the same states; and the page that tables go to. */
@NullMarked
package habemus.bench;

import org.jspecify.annotations.NullMarked;
