/** Writes the data that the page of the laboratory reads beside the engine: the matrix, the sources, the scenarios. */
@NullMarked
package habemus.web.data;

import org.jspecify.annotations.NullMarked;
