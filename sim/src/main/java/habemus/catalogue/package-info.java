/** The catalogue of algorithms: the options, theoretical costs and guarantees of each. */
@NullMarked
package habemus.catalogue;

import org.jspecify.annotations.NullMarked;
