package habemus.threads;

import habemus.protocol.Milestone;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import habemus.threads.Access.Done;
import habemus.threads.Access.Value;
import java.util.ArrayList;
import java.util.List;

/** Shared memory. An access is atomic; a read and a later write are two accesses. */
public final class Memory {

    private Memory() {}

    public static SharedObject variable(String name, int value) {
        return new Variable(name, value, false);
    }

    /** A variable with the value zero to which threads add: no update may be lost. */
    public static SharedObject counter(String name) {
        return new Variable(name, 0, true);
    }

    public static SharedObject queue(String name, int capacity) {
        return new ItemQueue(name, capacity, List.of());
    }

    public static SharedObject letters(String name, String text) {
        return new Letters(name, text);
    }

    /**
     * A variable, or the entry of a map with one key. Every thread sees the last write, as with {@code volatile}.
     *
     * @param reported whether an observer sees each new value
     */
    public record Variable(String name, int value, boolean reported) implements SharedObject {

        @Override
        public Step<ProgramState, Access> access(NodeId thread, Access access) {
            return switch (access) {
                case Access.Read() -> step().send(thread, new Value(value));
                case Access.Write(var next) -> set(next).send(thread, new Done());
                case Access.AddAndGet(var amount) -> set(value + amount).send(thread, new Value(value + amount));
                case Access.CompareAndSet(var expected, var next)
                when value == expected -> set(next).send(thread, new Value(1));
                case Access.CompareAndSet other -> step().send(thread, new Value(0));
                case Access.PutIfAbsent(var next) when value == 0 -> set(next).send(thread, new Value(0));
                case Access.PutIfAbsent present -> step().send(thread, new Value(value));
                default -> throw bug(access);
            };
        }

        private Step<ProgramState, Access> set(int next) {
            var after = new Variable(name, next, reported).step();
            return reported ? after.report(new Milestone.Stored(next)) : after;
        }
    }

    /** A queue that threads must not fill beyond its capacity. A removal from an empty queue returns zero. */
    public record ItemQueue(String name, int capacity, List<Integer> items) implements SharedObject {

        @Override
        public Step<ProgramState, Access> access(NodeId thread, Access access) {
            return switch (access) {
                case Access.Read() -> step().send(thread, new Value(items.size()));
                case Access.Insert(var item)
                when items.size() < capacity -> {
                    var more = new ArrayList<>(items);
                    more.add(item);
                    yield with(more).send(thread, new Done());
                }
                case Access.Remove() when items.isEmpty() -> step().send(thread, new Value(0));
                case Access.Remove() -> with(items.subList(1, items.size())).send(thread, new Value(items.getFirst()));
                default -> throw bug(access);
            };
        }

        private Step<ProgramState, Access> with(List<Integer> next) {
            return new ItemQueue(name, capacity, List.copyOf(next)).step();
        }
    }

    /**
     * A text whose letters threads turn to upper case. A read returns the position of the first lower-case letter, or
     * -1 if there is none. A write turns the letter at a position to upper case.
     */
    public record Letters(String name, String text) implements SharedObject {

        @Override
        public Step<ProgramState, Access> access(NodeId thread, Access access) {
            return switch (access) {
                case Access.Read() -> step().send(thread, new Value(firstLowerCase()));
                case Access.Write(var position) -> {
                    char letter = Character.toUpperCase(text.charAt(position));
                    var next = new Letters(name, text.substring(0, position) + letter + text.substring(position + 1));
                    yield next.step()
                            .report(new Milestone.Stored(next.upperCase()))
                            .send(thread, new Done());
                }
                default -> throw bug(access);
            };
        }

        private int firstLowerCase() {
            int position = 0;
            while (position < text.length() && !Character.isLowerCase(text.charAt(position))) {
                position++;
            }
            return position < text.length() ? position : -1;
        }

        private int upperCase() {
            return (int) text.chars().filter(Character::isUpperCase).count();
        }
    }
}
