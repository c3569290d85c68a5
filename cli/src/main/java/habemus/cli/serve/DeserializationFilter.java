package habemus.cli.serve;

import java.io.ObjectInputFilter;

/**
 * Refuses every object that Java deserialization would create in this JVM, whichever library asks for it. No message of
 * a node is a serialized object, so that nothing honest is refused.
 */
final class DeserializationFilter {

    private DeserializationFilter() {}

    /** Keeps a filter that the operator has set with {@code -Djdk.serialFilter}. */
    static void install() {
        if (ObjectInputFilter.Config.getSerialFilter() == null) {
            ObjectInputFilter.Config.setSerialFilter(info -> ObjectInputFilter.Status.REJECTED);
        }
    }
}
