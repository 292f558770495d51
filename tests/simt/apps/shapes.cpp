/* Virtual calls on objects that the device created. */
#include "app.h"

#pragma omp begin declare target
struct shape {
  virtual double area() const = 0;
};
struct square : shape {
  double side;
  explicit square(double s) : side(s) {}
  double area() const override {
    return side * side;
  }
};
struct circle : shape {
  double radius;
  explicit circle(double r) : radius(r) {}
  double area() const override {
    return 3 * radius * radius;
  }
};
#pragma omp end declare target

APP(shapes) {
  double on[20], off[20];
#pragma omp target teams distribute parallel for map(from : on)
  for (int i = 0; i < 20; i++) {
    square s(i);
    circle c(i);
    const shape *chosen = i % 3 ? static_cast<const shape *>(&s) : &c;
    on[i] = chosen->area();
  }
  for (int i = 0; i < 20; i++) off[i] = (i % 3 ? 1 : 3) * i * i;
  return app_differ(on, off, 20, 0);
}
