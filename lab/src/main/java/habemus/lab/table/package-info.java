/** Tables for terminals and Markdown pages. */
@NullMarked
package habemus.lab.table;

import org.jspecify.annotations.NullMarked;
