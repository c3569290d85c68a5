package habemus.threads;

/** A value that a thread computes from its own state. */
public sealed interface Expression {

    int of(ThreadState thread);

    /** What a thread knows by itself. */
    enum Local implements Expression {
        /** Its local variable. */
        X,
        /** Its number, from 1 on. */
        SELF,
        /** The number of rounds that it has completed. */
        ROUND;

        @Override
        public int of(ThreadState thread) {
            return switch (this) {
                case X -> thread.x();
                case SELF -> thread.self().number();
                case ROUND -> thread.round();
            };
        }

        @Override
        public String toString() {
            return switch (this) {
                case X -> "x";
                case SELF -> "self";
                case ROUND -> "round";
            };
        }
    }

    record Constant(int value) implements Expression {
        @Override
        public int of(ThreadState thread) {
            return value;
        }

        @Override
        public String toString() {
            return Integer.toString(value);
        }
    }

    record Sum(Expression left, int right) implements Expression {
        @Override
        public int of(ThreadState thread) {
            return left.of(thread) + right;
        }

        @Override
        public String toString() {
            return left + (right < 0 ? " - " + -right : " + " + right);
        }
    }

    record Product(Expression left, int right) implements Expression {
        @Override
        public int of(ThreadState thread) {
            return left.of(thread) * right;
        }

        @Override
        public String toString() {
            return right + " * (" + left + ")";
        }
    }

    /** A comparison of two values. */
    record Condition(Expression left, Relation relation, Expression right) {
        boolean holds(ThreadState thread) {
            int order = Integer.compare(left.of(thread), right.of(thread));
            return switch (relation) {
                case EQUAL -> order == 0;
                case BELOW -> order < 0;
                case AT_LEAST -> order >= 0;
            };
        }

        @Override
        public String toString() {
            return left + " " + relation.sign + " " + right;
        }
    }

    enum Relation {
        EQUAL("=="),
        BELOW("<"),
        AT_LEAST(">=");

        private final String sign;

        Relation(String sign) {
            this.sign = sign;
        }
    }

    default Expression plus(int amount) {
        return new Sum(this, amount);
    }

    default Expression times(int factor) {
        return new Product(this, factor);
    }

    default Condition is(Expression other) {
        return new Condition(this, Relation.EQUAL, other);
    }

    default Condition is(int value) {
        return is(new Constant(value));
    }

    default Condition isBelow(int value) {
        return new Condition(this, Relation.BELOW, new Constant(value));
    }

    default Condition isAtLeast(Expression other) {
        return new Condition(this, Relation.AT_LEAST, other);
    }

    default Condition isAtLeast(int value) {
        return isAtLeast(new Constant(value));
    }
}
