/** Substitutes of classes of the Java library that TeaVM lacks. */
@NullMarked
package habemus.web.platform.java.util.concurrent.atomic;

import org.jspecify.annotations.NullMarked;
