/** What all commands share: syntax, durations, numbers, output. */
@NullMarked
package habemus.cli.options;

import org.jspecify.annotations.NullMarked;
