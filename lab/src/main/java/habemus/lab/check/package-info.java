/** Checks of small worlds: their options, their result, and its text and JSON. */
@NullMarked
package habemus.lab.check;

import org.jspecify.annotations.NullMarked;
