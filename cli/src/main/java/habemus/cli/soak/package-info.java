/** The soak command: a real cluster under random faults. */
@NullMarked
package habemus.cli.soak;

import org.jspecify.annotations.NullMarked;
