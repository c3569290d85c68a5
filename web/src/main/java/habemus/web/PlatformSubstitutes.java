package habemus.web;

import java.util.List;
import org.teavm.extension.spi.substitution.SubstitutionPolicy;
import org.teavm.extension.spi.substitution.SubstitutionSink;

/** The classes of the Java library that TeaVM lacks. Each has a substitute of the same name below this package. */
public final class PlatformSubstitutes implements SubstitutionPolicy {

    private static final List<String> NAMES =
            List.of("java.util.concurrent.atomic.AtomicLongArray", "java.util.concurrent.atomic.AtomicReferenceArray");

    @Override
    public void contribute(SubstitutionSink sink) {
        sink.selectClasses(NAMES::contains).packagePrefix("habemus.web.platform");
    }
}
