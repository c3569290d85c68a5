package habemus.protocol;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Numbers the permitted types of a sealed interface for the codec: the position in the list is the tag byte. The list
 * decides the bytes, the names of the types do not: append to it, and never reorder it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface WireTags {

    /** All permitted types of the annotated interface, each once. */
    Class<?>[] value();
}
