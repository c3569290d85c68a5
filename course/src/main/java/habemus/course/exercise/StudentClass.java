package habemus.course.exercise;

import static java.util.stream.Collectors.joining;

import habemus.lab.source.InvalidSourceException;
import habemus.lab.source.SourceFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.List;

/** The class of a student's file that implements the interface of an exercise. */
final class StudentClass {

    private StudentClass() {}

    /** @throws InvalidSourceException if no class of the file implements it, or its constructor fails */
    static <T> T load(SourceFile file, Class<T> required) {
        return required.cast(instantiate(find(file.compile(), required)));
    }

    static Object instantiate(Class<?> type) {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException thrown) {
            throw invalid("the constructor of " + type.getName() + " threw " + thrown.getCause(), "correct it");
        } catch (ReflectiveOperationException missing) {
            throw invalid(type.getName() + " has no constructor without parameters", "leave out the constructor");
        }
    }

    static Class<?> find(SourceFile.Compiled compiled, Class<?> required) {
        return compiled.types().stream()
                .filter(required::isAssignableFrom)
                .filter(type -> !type.isInterface() && !Modifier.isAbstract(type.getModifiers()))
                .findFirst()
                .orElseThrow(() -> invalid(
                        compiled.source().name() + ": no class implements " + required.getSimpleName() + " (found: "
                                + compiled.types().stream().map(Class::getName).collect(joining(", ")) + ")",
                        "start from the file of the exercise: habemus exercise show NAME --write FILE"));
    }

    static InvalidSourceException invalid(String message, String hint) {
        return new InvalidSourceException(message, List.of(), hint);
    }
}
