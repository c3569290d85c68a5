package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProtectedResourceTest {

    @Test
    void a_fenced_one_refuses_a_fence_that_is_older_than_one_it_has_accepted() {
        var protectedResource =
                ProtectedResource.initial(true).afterWrite(1).afterWrite(3).afterWrite(2);
        assertThat(protectedResource).isEqualTo(new ProtectedResource(true, 3, 2, 1, 0));
    }

    @Test
    void a_fenced_one_accepts_the_same_fence_again() {
        assertThat(ProtectedResource.initial(true).afterWrite(3).afterWrite(3).refused())
                .isZero();
    }

    @Test
    void a_plain_one_accepts_an_older_fence_and_has_lost_something() {
        var protectedResource =
                ProtectedResource.initial(false).afterWrite(1).afterWrite(3).afterWrite(2);
        assertThat(protectedResource).isEqualTo(new ProtectedResource(false, 3, 3, 0, 1));
    }
}
