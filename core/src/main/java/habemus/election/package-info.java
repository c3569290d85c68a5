/** One of us decides: leader election, one algorithm a file. */
@NullMarked
package habemus.election;

import org.jspecify.annotations.NullMarked;
