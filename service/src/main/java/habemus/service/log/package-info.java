/** The port of a replicated log, and the providers that open one on an engine that the user runs. */
@NullMarked
package habemus.service.log;

import org.jspecify.annotations.NullMarked;
