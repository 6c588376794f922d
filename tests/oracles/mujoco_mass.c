/* The mass matrix of a robot by MuJoCo: mujoco_mass FILE.urdf, then lines `JOINT q...` with the position of each joint (a floating joint:
 * position, unit quaternion) on the input; `JOINT k` for each velocity and then the rows of the matrix on the output. */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  char error[1000] = "", name[200];
  mjModel* model = count > 1 ? mj_loadXML(words[1], NULL, error, sizeof error) : NULL;
  if (model == NULL) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* data = mj_makeData(model);
  while (scanf("%199s", name) == 1) {
    const int joint = mj_name2id(model, mjOBJ_JOINT, name);
    if (joint < 0) {
      fprintf(stderr, "no joint %s\n", name);
      return 1;
    }
    const int numbers = model->jnt_type[joint] == mjJNT_FREE ? 7 : 1;
    for (int k = 0; k < numbers; ++k)
      if (scanf("%lf", &data->qpos[model->jnt_qposadr[joint] + k]) != 1) return 1;
  }
  mj_forward(model, data);
  double* matrix = malloc(sizeof(double) * model->nv * model->nv);
  mj_fullM(model, matrix, data->qM);
  for (int i = 0; i < model->nv; ++i)
    printf("%s %d\n", mj_id2name(model, mjOBJ_JOINT, model->dof_jntid[i]), i - model->jnt_dofadr[model->dof_jntid[i]]);
  for (int i = 0; i < model->nv * model->nv; ++i) printf("%.17g%c", matrix[i], (i + 1) % model->nv ? ' ' : '\n');
  free(matrix);
  mj_deleteData(data);
  mj_deleteModel(model);
  return 0;
}
