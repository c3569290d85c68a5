/** Commands that compare algorithms and choose quorums and timeouts. */
@NullMarked
package habemus.cli.analyze;

import org.jspecify.annotations.NullMarked;
