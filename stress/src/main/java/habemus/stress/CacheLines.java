package habemus.stress;

import habemus.course.threads.ObjectLayout;
import java.util.ArrayList;
import java.util.function.Supplier;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.vm.VM;

/** Addresses and layouts of objects, by JOL. */
final class CacheLines {

    private static final int MAX_ATTEMPTS = 100_000;
    private static final int FILLERS = 8;

    private CacheLines() {}

    /**
     * Makes objects until one starts at a cache line. It stays there until the garbage collector moves it, and a
     * benchmark that makes no garbage does not wake the collector.
     *
     * <p>Fillers of different sizes shift the next object. Without them, an attempt may take exactly two lines, and
     * then no object is ever aligned.
     */
    static <T> T aligned(Supplier<T> factory) {
        var fillers = new byte[FILLERS][];
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            int filler = attempt % FILLERS;
            fillers[filler] = new byte[filler * Long.BYTES];
            var object = factory.get();
            if (VM.current().addressOf(object) % ObjectLayout.LINE_BYTES == 0) {
                return object;
            }
        }
        throw new IllegalStateException("no object at the start of a cache line in " + MAX_ATTEMPTS + " attempts");
    }

    static ObjectLayout layout(String name, Class<?> type) {
        var layout = ClassLayout.parseClass(type);
        var fields = new ArrayList<ObjectLayout.Field>();
        fields.add(new ObjectLayout.Field(ObjectLayout.HEADER, 0, layout.headerSize()));
        layout.fields()
                .forEach(field -> fields.add(
                        new ObjectLayout.Field(field.name(), Math.toIntExact(field.offset()), (int) field.size())));
        return new ObjectLayout(name, Math.toIntExact(layout.instanceSize()), fields);
    }
}
