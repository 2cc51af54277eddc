"""The course: lessons as data, whether an answer is right, and what each learner has learned."""
