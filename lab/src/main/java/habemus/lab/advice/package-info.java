/** Which algorithms fit a system: what they survive, what they cost there, and why the others do not fit. */
@NullMarked
package habemus.lab.advice;

import org.jspecify.annotations.NullMarked;
