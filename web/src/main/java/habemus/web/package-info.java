/** The engine of the laboratory in the browser: command lines in, JSON documents out. */
@NullMarked
package habemus.web;

import org.jspecify.annotations.NullMarked;
