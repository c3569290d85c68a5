/** The shared counter experiment: many processes increment one number. */
@NullMarked
package habemus.harness.count;

import org.jspecify.annotations.NullMarked;
