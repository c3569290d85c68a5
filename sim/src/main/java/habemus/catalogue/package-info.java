/** The one place where an algorithm is registered, with its options, what it costs and what it promises when. */
@NullMarked
package habemus.catalogue;

import org.jspecify.annotations.NullMarked;
