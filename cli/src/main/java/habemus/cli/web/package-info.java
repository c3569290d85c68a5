/** The command that opens the laboratory in the browser. */
@NullMarked
package habemus.cli.web;

import org.jspecify.annotations.NullMarked;
