/** The languages of the texts that commands print, and their translations. */
@NullMarked
package habemus.lab.language;

import org.jspecify.annotations.NullMarked;
