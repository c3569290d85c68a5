/** Commands that measure the simulator, the checker and the network. */
@NullMarked
package habemus.cli.bench;

import org.jspecify.annotations.NullMarked;
