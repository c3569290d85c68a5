/** How long to wait for an answer before giving somebody up. */
@NullMarked
package habemus.lab.timeout;

import org.jspecify.annotations.NullMarked;
