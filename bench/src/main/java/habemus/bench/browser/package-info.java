/** Measures the laboratory in the browser. */
@NullMarked
package habemus.bench.browser;

import org.jspecify.annotations.NullMarked;
