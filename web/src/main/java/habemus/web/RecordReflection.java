package habemus.web;

import org.teavm.extension.spi.reflection.SimpleReflectionPolicy;

/** Keeps the fields of records readable at run time, and whether they have a {@code toString} of their own. */
public final class RecordReflection extends SimpleReflectionPolicy {

    @Override
    protected void setup() {
        selectClasses(extending(Record.class).and(inPackage("habemus", true)))
                .reflectableFields(INSTANCE)
                .reflectableMethods(method ->
                        method.name().equals("toString") && method.parameters().isEmpty());
    }
}
