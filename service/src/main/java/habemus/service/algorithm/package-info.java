/** A node that runs classic algorithms of the catalogue. */
@NullMarked
package habemus.service.algorithm;

import org.jspecify.annotations.NullMarked;
