/** Tables of text. */
@NullMarked
package habemus.lab.table;

import org.jspecify.annotations.NullMarked;
