/**
 * Encodes values as bytes and decodes them. The codec of a type is derived from the type: records, sealed interfaces,
 * enums.
 */
@NullMarked
package habemus.codec;

import org.jspecify.annotations.NullMarked;
