package habemus.threads;

import habemus.protocol.Operation;
import habemus.threads.Expression.Condition;
import habemus.threads.Expression.Constant;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement of a thread. Programs are written with the static methods; {@link #compile} replaces loops and branches by
 * jumps.
 */
public sealed interface Statement {

    /** An access to a shared object. The thread continues when it has the answer. */
    record Call(String object, Verb verb, List<Expression> arguments) implements Statement {
        Access access(ThreadState thread) {
            return verb.access(
                    arguments.stream().map(argument -> argument.of(thread)).toList());
        }

        @Override
        public String toString() {
            return verb.text(object, arguments);
        }
    }

    /** The thread sets its local variable. */
    record Assign(Expression value) implements Statement {
        @Override
        public String toString() {
            return "x = " + value;
        }
    }

    /** A milestone that observers see: not a statement of the program itself. */
    sealed interface Mark extends Statement {
        record Requested() implements Mark {}

        record Entered(int limit) implements Mark {}

        record Exited() implements Mark {}

        record Invoked(Operation.Kind kind, Expression argument) implements Mark {}

        record Returned(Expression result) implements Mark {}

        record Updated(String object, int amount) implements Mark {}
    }

    /** The thread pauses for a random time: one of some slots of equal length. */
    record BackOff(int slots) implements Statement {
        @Override
        public String toString() {
            return "sleep(random)";
        }
    }

    /** A loop on a value that the compiler keeps in a register: if the condition holds, it holds for ever. */
    record Spin(Condition condition) implements Statement {
        @Override
        public String toString() {
            return "while (" + condition + ") { }";
        }
    }

    /** @param rounds zero for a loop without end */
    record Repeat(int rounds, List<Statement> body) implements Statement {
        @Override
        public String toString() {
            return rounds == 0 ? "loop forever" : "repeat " + (rounds == 1 ? "once" : rounds + " times");
        }
    }

    record While(Condition condition, List<Statement> body) implements Statement {
        @Override
        public String toString() {
            return "while (" + condition + ")";
        }
    }

    record DoWhile(List<Statement> body, Condition condition) implements Statement {
        @Override
        public String toString() {
            return "do … while (" + condition + ")";
        }
    }

    record If(Condition condition, List<Statement> body) implements Statement {
        @Override
        public String toString() {
            return "if (" + condition + ")";
        }
    }

    /** Statements that are executed one after the other. */
    record Block(List<Statement> body) implements Statement {}

    /** An assertion of the program. */
    record Expect(Condition condition) implements Statement {
        @Override
        public String toString() {
            return "assert " + condition;
        }
    }

    record NextRound() implements Statement {}

    /** @param offset from this statement */
    record Jump(int offset) implements Statement {}

    /** @param offset from this statement */
    record JumpUnless(Condition condition, int offset) implements Statement {}

    static Statement load(String object) {
        return new Call(object, Verb.LOAD, List.of());
    }

    static Statement store(String object, Expression value) {
        return new Call(object, Verb.STORE, List.of(value));
    }

    static Statement store(String object, int value) {
        return store(object, new Constant(value));
    }

    static Statement addAndGet(String object, int amount) {
        return addAndGet(object, new Constant(amount));
    }

    static Statement addAndGet(String object, Expression amount) {
        return new Call(object, Verb.ADD_AND_GET, List.of(amount));
    }

    static Statement call(String object, Verb verb, Expression... arguments) {
        return new Call(object, verb, List.of(arguments));
    }

    static Statement assign(Expression value) {
        return new Assign(value);
    }

    static Statement requested() {
        return new Mark.Requested();
    }

    /** The thread is in a section of its own. */
    static Statement entered() {
        return new Mark.Entered(1);
    }

    static Statement entered(int limit) {
        return new Mark.Entered(limit);
    }

    static Statement exited() {
        return new Mark.Exited();
    }

    static Statement invoked(Operation.Kind kind, Expression argument) {
        return new Mark.Invoked(kind, argument);
    }

    static Statement invoked(Operation.Kind kind) {
        return invoked(kind, new Constant(0));
    }

    static Statement returned(Expression result) {
        return new Mark.Returned(result);
    }

    static Statement returned() {
        return returned(new Constant(0));
    }

    static Statement updated(String object, int amount) {
        return new Mark.Updated(object, amount);
    }

    static Statement backOff(int slots) {
        return new BackOff(slots);
    }

    static Statement spinWhile(Condition condition) {
        return new Spin(condition);
    }

    static Statement repeat(int rounds, Statement... body) {
        return new Repeat(rounds, List.of(body));
    }

    static Statement block(Statement... body) {
        return new Block(List.of(body));
    }

    static Statement expect(Condition condition) {
        return new Expect(condition);
    }

    static Statement loopWhile(Condition condition, Statement... body) {
        return new While(condition, List.of(body));
    }

    static Statement doWhile(Condition condition, Statement... body) {
        return new DoWhile(List.of(body), condition);
    }

    static Statement doIf(Condition condition, Statement... body) {
        return new If(condition, List.of(body));
    }

    /** The same program with jumps in place of loops and branches. */
    static List<Statement> compile(List<Statement> program) {
        var code = new ArrayList<Statement>();
        for (Statement statement : program) {
            switch (statement) {
                case Repeat(var rounds, var body)
                when rounds == 0 -> {
                    var inner = compile(body);
                    code.addAll(inner);
                    code.add(new Jump(-inner.size()));
                }
                case Repeat(var rounds, var body) -> {
                    var inner = new ArrayList<>(compile(body));
                    inner.add(new NextRound());
                    addLoop(code, Expression.Local.ROUND.isBelow(rounds), inner);
                }
                case Block(var body) -> code.addAll(compile(body));
                case While(var condition, var body) -> addLoop(code, condition, compile(body));
                case DoWhile(var body, var condition) -> {
                    var inner = compile(body);
                    code.addAll(inner);
                    code.add(new JumpUnless(condition, 2));
                    code.add(new Jump(-inner.size() - 1));
                }
                case If(var condition, var body) -> {
                    var inner = compile(body);
                    code.add(new JumpUnless(condition, inner.size() + 1));
                    code.addAll(inner);
                }
                default -> code.add(statement);
            }
        }
        return List.copyOf(code);
    }

    private static void addLoop(List<Statement> code, Condition condition, List<Statement> body) {
        code.add(new JumpUnless(condition, body.size() + 2));
        code.addAll(body);
        code.add(new Jump(-body.size() - 1));
    }

    /** The program as text, one statement a line, without marks. */
    static List<String> listing(List<Statement> program) {
        var lines = new ArrayList<String>();
        for (Statement statement : program) {
            switch (statement) {
                case Mark mark -> {}
                case Block(var body) -> lines.addAll(listing(body));
                case Repeat(var rounds, var body) -> addBlock(lines, statement, body);
                case While(var condition, var body) -> addBlock(lines, statement, body);
                case If(var condition, var body) -> addBlock(lines, statement, body);
                case DoWhile(var body, var condition) -> {
                    lines.add("do");
                    listing(body).forEach(line -> lines.add("    " + line));
                    lines.add("while (" + condition + ")");
                }
                default -> lines.add(statement.toString());
            }
        }
        return List.copyOf(lines);
    }

    private static void addBlock(List<String> lines, Statement head, List<Statement> body) {
        lines.add(head.toString());
        listing(body).forEach(line -> lines.add("    " + line));
    }
}
